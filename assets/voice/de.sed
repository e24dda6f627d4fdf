# What espeak-ng says otherwise than people do, by its phonemes: "Kesar", "Rehmiss", and the wrong
# syllable of Rochade, David and Zuschlag.
s/Cesar/[[ts'e:zA:r]]/g
s/Remisangebot/[[r@m'i:]]-Angebot/g
s/Remis/[[r@m'i:]]/g
s/Rochade/[[rOx'A:d@]]/g
s/David/[[d'A:vIt]]/g
s/Zuschlag/[[ts'u:SlA:k]]/g

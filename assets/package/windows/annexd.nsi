; The installer for Windows: for one user, without an administrator. Its pages are those of Windows
; itself, so keyboards and screen readers work on them as everywhere.
;
;   makensis -DVERSION=... -DFROM=folder -DTO=file annexd.nsi
Target amd64-unicode
SetCompressor /SOLID lzma
Name "annexd ${VERSION}"
OutFile "${TO}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\annexd"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\annexd"

LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\German.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\Swedish.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\Danish.nlf"
LangString GAMES ${LANG_ENGLISH} "Your games and settings stay in $APPDATA\annexd."
LangString GAMES ${LANG_GERMAN} "Ihre Partien und Einstellungen bleiben in $APPDATA\annexd."
LangString GAMES ${LANG_SWEDISH} "Dina partier och inställningar stannar i $APPDATA\annexd."
LangString GAMES ${LANG_DANISH} "Dine partier og indstillinger bliver i $APPDATA\annexd."
LangString MANUAL ${LANG_ENGLISH} "annexd manual"
LangString MANUAL ${LANG_GERMAN} "Handbuch zu annexd"
LangString MANUAL ${LANG_SWEDISH} "Handbok till annexd"
LangString MANUAL ${LANG_DANISH} "Håndbog til annexd"
LangString REMOVE ${LANG_ENGLISH} "Uninstall annexd"
LangString REMOVE ${LANG_GERMAN} "annexd entfernen"
LangString REMOVE ${LANG_SWEDISH} "Avinstallera annexd"
LangString REMOVE ${LANG_DANISH} "Fjern annexd"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

!macro removed
  RMDir /r "$INSTDIR\bin"
  RMDir /r "$INSTDIR\lib"
  RMDir /r "$INSTDIR\manual"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\uninstall.exe"
!macroend

Section
  ; What an older version had and this one has not.
  !insertmacro removed
  SetOutPath "$INSTDIR"
  File /r "${FROM}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ; The window stays open, so that what is said last can be read; the program is typed there too.
  SetOutPath "$INSTDIR\bin"
  CreateDirectory "$SMPROGRAMS\annexd"
  CreateShortcut "$SMPROGRAMS\annexd\annexd.lnk" "$SYSDIR\cmd.exe" "/k annexd.exe"
  CreateShortcut "$SMPROGRAMS\annexd\$(MANUAL).lnk" "$INSTDIR\manual\html"
  CreateShortcut "$SMPROGRAMS\annexd\$(REMOVE).lnk" "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${KEY}" "DisplayName" "annexd"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
SectionEnd

Section Uninstall
  !insertmacro removed
  RMDir "$INSTDIR"
  RMDir /r "$SMPROGRAMS\annexd"
  DeleteRegKey HKCU "${KEY}"
  DetailPrint "$(GAMES)"
  MessageBox MB_OK "$(GAMES)" /SD IDOK
SectionEnd

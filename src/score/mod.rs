//! Game scores: what each player recorded (article 8, D.2.7).

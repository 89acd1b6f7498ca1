import { defineWords } from '../words/words';

export const words = defineWords(
  {
    signInTitle: 'Sign in to Sheaf',
    signInAgainTitle: 'Sign in again',
    signInAgainHelp: 'Your session has ended. What you were doing is still here.',
    email: 'Email',
    password: 'Password',
    signIn: 'Sign in',
    wrong: 'The email or the password is wrong.',
    throttled: (seconds: number) => `Too many failed attempts. Try again in ${seconds} seconds.`,
    forgotten: 'If you have forgotten your password, ask a person who runs Sheaf here: they can print a link that signs you in.',
    linkWorks: 'Signing you in …',
    linkUsed: 'This link has been used already, or has expired. Sign in with your password, or ask for a new link.',
    otherPerson: 'Somebody else was signed in here. The page loads anew.',
    signOut: 'Sign out',
    needsEmail: 'Enter your email address.',
    needsPassword: 'Enter your password.',
  },
  {
    signInTitle: 'Bei Sheaf anmelden',
    signInAgainTitle: 'Erneut anmelden',
    signInAgainHelp: 'Ihre Sitzung ist beendet. Woran Sie gearbeitet haben, ist noch da.',
    email: 'E-Mail',
    password: 'Passwort',
    signIn: 'Anmelden',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    throttled: (seconds: number) => `Zu viele Fehlversuche. Versuchen Sie es in ${seconds} Sekunden noch einmal.`,
    forgotten: 'Wenn Sie Ihr Passwort vergessen haben, fragen Sie jemanden, der Sheaf hier betreibt: Ein Link kann Sie anmelden.',
    linkWorks: 'Sie werden angemeldet …',
    linkUsed:
      'Dieser Link wurde schon benutzt oder ist abgelaufen. Melden Sie sich mit Ihrem Passwort an, oder bitten Sie um einen neuen Link.',
    otherPerson: 'Hier war jemand anderes angemeldet. Die Seite wird neu geladen.',
    signOut: 'Abmelden',
    needsEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
    needsPassword: 'Geben Sie Ihr Passwort ein.',
  },
);

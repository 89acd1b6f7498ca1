import { defineWords } from '../words/words';

const roles: Record<string, string> = { owner: 'an owner', admin: 'an admin', editor: 'an editor', viewer: 'a viewer' };
const roleHelp: Record<string, string> = {
  admin: 'Admins work with all forms, and manage members.',
  editor: 'Editors make forms and work with submissions.',
  viewer: 'Viewers read forms and submissions.',
};
const rollen: Record<string, string> = { owner: 'Eigentümer', admin: 'Admin', editor: 'Bearbeiter', viewer: 'Betrachter' };
const rollenHilfe: Record<string, string> = {
  admin: 'Admins arbeiten mit allen Formularen und verwalten Mitglieder.',
  editor: 'Bearbeiter legen Formulare an und bearbeiten Einsendungen.',
  viewer: 'Betrachter lesen Formulare und Einsendungen.',
};

export const words = defineWords(
  {
    title: 'Invitation',
    join: (workspace: string) => `Join ${workspace}`,
    invited: (role: string) => `You are invited as ${role}.`,
    invitedBy: (sender: string, role: string) => `${sender} invites you as ${role}.`,
    roles: (role: string) => roles[role] ?? role,
    roleHelp: (role: string) => roleHelp[role] ?? '',
    until: (time: string) => `The invitation can be accepted until ${time}.`,
    otherSession: (name: string) => `${name} is signed in here. If you accept, you will be signed in as the invited person instead.`,
    email: 'Email',
    name: 'Your name',
    password: 'Password',
    passwordHelp: 'At least 12 characters.',
    needsName: 'Enter your name.',
    tooShort: 'Choose a password of at least 12 characters.',
    tooLong: 'Choose a password of at most 200 characters.',
    accept: 'Accept invitation',
    endedTitle: 'This invitation has ended',
    endedHelp: 'It was used already, has expired or was taken back. If you have accepted it before, sign in; otherwise ask for a new one.',
    toSignIn: 'Go to sign-in',
  },
  {
    title: 'Einladung',
    join: (workspace: string) => `${workspace} beitreten`,
    invited: (role: string) => `Sie sind eingeladen. Ihre Rolle: ${role}.`,
    invitedBy: (sender: string, role: string) => `${sender} lädt Sie ein. Ihre Rolle: ${role}.`,
    roles: (role: string) => rollen[role] ?? role,
    roleHelp: (role: string) => rollenHilfe[role] ?? '',
    until: (time: string) => `Die Einladung gilt bis ${time}.`,
    otherSession: (name: string) => `Hier ist ${name} angemeldet. Wenn Sie annehmen, werden stattdessen Sie angemeldet.`,
    email: 'E-Mail',
    name: 'Ihr Name',
    password: 'Passwort',
    passwordHelp: 'Mindestens 12 Zeichen.',
    needsName: 'Geben Sie Ihren Namen ein.',
    tooShort: 'Wählen Sie ein Passwort mit mindestens 12 Zeichen.',
    tooLong: 'Wählen Sie ein Passwort mit höchstens 200 Zeichen.',
    accept: 'Einladung annehmen',
    endedTitle: 'Diese Einladung gilt nicht mehr',
    endedHelp:
      'Sie wurde schon benutzt, ist abgelaufen oder wurde zurückgezogen. Haben Sie sie schon angenommen, dann melden Sie sich an; sonst bitten Sie um eine neue.',
    toSignIn: 'Zur Anmeldung',
  },
);

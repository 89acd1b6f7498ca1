import type { Template } from './template';

export const bugReport: Template = {
  id: 'bug-report',
  title: ['Report a bug', 'Fehler melden'],
  about: [
    'What happened, what should have happened, and how to see it again, with screenshots and severity.',
    'Was passiert ist, was passieren sollte und wie man es nachstellt, mit Bildschirmfotos und Schweregrad.',
  ],
  description: [
    'The more exactly you describe it, the sooner we can fix it.',
    'Je genauer Sie den Fehler beschreiben, desto schneller können wir ihn beheben.',
  ],
  thanks: ['Thank you for the report. We look at every one.', 'Vielen Dank für die Meldung. Wir sehen uns jede an.'],
  items: [
    {
      type: 'short_text',
      key: 'summary',
      label: ['What is wrong, in one sentence?', 'Was ist falsch, in einem Satz?'],
      required: true,
      max_length: 200,
    },
    {
      type: 'select',
      key: 'severity',
      label: ['How bad is it?', 'Wie schlimm ist es?'],
      required: true,
      options: [
        ['blocks', 'I cannot work at all', 'Ich kann gar nicht arbeiten'],
        ['hinders', 'I can work around it', 'Ich kann es umgehen'],
        ['annoys', 'It is a blemish', 'Es ist ein Schönheitsfehler'],
      ],
    },
    {
      type: 'statement',
      label: [
        'If you cannot work at all, call us as well: we are there around the clock.',
        'Wenn Sie gar nicht arbeiten können, rufen Sie uns auch an: Wir sind rund um die Uhr da.',
      ],
      visible_if: { key: 'severity', equals: 'blocks' },
    },
    { type: 'section', label: ['How to see it', 'So lässt es sich nachstellen'] },
    {
      type: 'long_text',
      key: 'steps',
      label: ['What did you do, step by step?', 'Was haben Sie getan, Schritt für Schritt?'],
      required: true,
      max_length: 5_000,
    },
    { type: 'long_text', key: 'actual', label: ['What happened?', 'Was ist passiert?'], required: true, max_length: 5_000 },
    { type: 'long_text', key: 'expected', label: ['What should have happened?', 'Was hätte passieren sollen?'], max_length: 5_000 },
    {
      type: 'file',
      key: 'screenshots',
      label: ['Screenshots', 'Bildschirmfotos'],
      help: ['Up to five pictures.', 'Höchstens fünf Bilder.'],
      accept: ['image/*'],
      multiple: true,
      max_files: 5,
      max_bytes: 10_000_000,
    },
    { type: 'section', label: ['Where it happened', 'Wo es passiert ist'] },
    {
      type: 'select',
      key: 'device',
      label: ['On what?', 'Worauf?'],
      options: [
        ['browser', 'In a browser on a computer', 'Im Browser auf einem Computer'],
        ['phone', 'On a phone or tablet', 'Auf einem Telefon oder Tablet'],
        ['app', 'In the desktop app', 'In der Desktop-App'],
      ],
    },
    {
      type: 'short_text',
      key: 'browser',
      label: ['Which browser, in which version?', 'Welcher Browser, in welcher Version?'],
      max_length: 100,
      visible_if: { key: 'device', equals: 'browser' },
    },
    { type: 'email', key: 'email', label: ['Email, if we may ask you back', 'E-Mail, falls wir nachfragen dürfen'], autocomplete: 'email' },
  ],
};

import type { TemplateItem } from './template';

/** Questions that several templates ask. */
export const fullName: TemplateItem = {
  type: 'short_text',
  key: 'name',
  label: ['Your name', 'Ihr Name'],
  required: true,
  max_length: 200,
  autocomplete: 'name',
};

export const emailAddress: TemplateItem = {
  type: 'email',
  key: 'email',
  label: ['Email address', 'E-Mail-Adresse'],
  help: ['We only use it to answer you.', 'Wir verwenden sie nur, um Ihnen zu antworten.'],
  required: true,
  autocomplete: 'email',
};

export const phoneNumber: TemplateItem = {
  type: 'phone',
  key: 'phone',
  label: ['Phone number', 'Telefonnummer'],
  help: ['With the country code, such as +44 20 7946 0958.', 'Mit der Vorwahl des Landes, zum Beispiel +49 30 901820.'],
  autocomplete: 'tel',
};

export const consent: TemplateItem = {
  type: 'boolean',
  key: 'consent',
  label: ['You may store my answers to handle this request', 'Sie dürfen meine Angaben speichern, um diese Anfrage zu bearbeiten'],
  required: true,
  must_be_true: true,
};

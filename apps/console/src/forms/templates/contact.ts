import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const contact: Template = {
  id: 'contact',
  title: ['Contact us', 'Kontakt'],
  about: [
    'Questions and messages, sorted by subject. Asks for a phone number only from those who want a call.',
    'Fragen und Nachrichten, nach Thema sortiert. Fragt nur nach der Telefonnummer, wenn jemand einen Rückruf möchte.',
  ],
  description: ['We answer within two working days.', 'Wir antworten innerhalb von zwei Werktagen.'],
  thanks: ['Thank you. We have your message and will reply soon.', 'Vielen Dank. Ihre Nachricht ist angekommen, wir melden uns bald.'],
  items: [
    fullName,
    emailAddress,
    {
      type: 'select',
      key: 'subject',
      label: ['What is it about?', 'Worum geht es?'],
      required: true,
      options: [
        ['question', 'A question', 'Eine Frage'],
        ['order', 'An order', 'Eine Bestellung'],
        ['complaint', 'A complaint', 'Eine Beschwerde'],
        ['other', 'Something else', 'Etwas anderes'],
      ],
    },
    {
      type: 'short_text',
      key: 'order_number',
      label: ['Order number', 'Bestellnummer'],
      help: ['You find it in the confirmation.', 'Sie finden sie in der Bestätigung.'],
      max_length: 40,
      visible_if: { key: 'subject', equals: 'order' },
    },
    {
      type: 'long_text',
      key: 'message',
      label: ['Your message', 'Ihre Nachricht'],
      required: true,
      max_length: 5_000,
    },
    {
      type: 'select',
      key: 'reply_by',
      label: ['How should we reply?', 'Wie sollen wir antworten?'],
      required: true,
      options: [
        ['email', 'By email', 'Per E-Mail'],
        ['phone', 'By phone', 'Per Telefon'],
      ],
    },
    { ...phoneNumber, required: true, visible_if: { key: 'reply_by', equals: 'phone' } },
  ],
};

import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const appointment: Template = {
  id: 'appointment',
  title: ['Request an appointment', 'Termin anfragen'],
  about: [
    'The wanted day and time, a second choice, and whether somebody comes for the first time.',
    'Wunschtermin mit Ausweichtermin, und ob jemand zum ersten Mal kommt.',
  ],
  description: ['We confirm the appointment by phone or email.', 'Wir bestätigen den Termin per Telefon oder E-Mail.'],
  thanks: [
    'Thank you. The appointment is fixed once we have confirmed it.',
    'Vielen Dank. Der Termin steht fest, sobald wir ihn bestätigt haben.',
  ],
  items: [
    fullName,
    emailAddress,
    { ...phoneNumber, required: true },
    { type: 'boolean', key: 'first_visit', label: ['Is this your first visit?', 'Kommen Sie zum ersten Mal?'], required: true },
    {
      type: 'date',
      key: 'birth_date',
      label: ['Date of birth', 'Geburtsdatum'],
      help: ['We need it to find or create your file.', 'Wir brauchen es, um Ihre Akte anzulegen.'],
      required: true,
      autocomplete: 'bday',
      visible_if: { key: 'first_visit', equals: true },
    },
    { type: 'section', label: ['Your appointment', 'Ihr Termin'] },
    {
      type: 'select',
      key: 'service',
      label: ['What is it for?', 'Wofür?'],
      required: true,
      options: [
        ['consultation', 'Consultation', 'Beratung'],
        ['check_up', 'Check-up', 'Vorsorge'],
        ['follow_up', 'Follow-up', 'Nachsorge'],
        ['other', 'Something else', 'Etwas anderes'],
      ],
    },
    {
      type: 'long_text',
      key: 'details',
      label: ['Please describe it', 'Bitte beschreiben Sie es'],
      required: true,
      max_length: 1_000,
      visible_if: { key: 'service', equals: 'other' },
    },
    { type: 'date', key: 'day', label: ['Which day would suit you?', 'Welcher Tag passt Ihnen?'], required: true },
    {
      type: 'multi_select',
      key: 'times',
      label: ['At what time?', 'Zu welcher Zeit?'],
      required: true,
      options: [
        ['morning', '8 to 12', '8 bis 12 Uhr'],
        ['afternoon', '12 to 17', '12 bis 17 Uhr'],
        ['evening', '17 to 20', '17 bis 20 Uhr'],
      ],
    },
    {
      type: 'date',
      key: 'second_day',
      label: ['A second day, in case the first is taken', 'Ein anderer Tag, falls der erste vergeben ist'],
    },
  ],
};

import { consent, emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const volunteer: Template = {
  id: 'volunteer',
  title: ['Volunteer sign-up', 'Freiwillige gesucht'],
  about: [
    'What people can do, when they have time, and whom to call in an emergency.',
    'Was jemand tun kann, wann Zeit ist und wer im Notfall angerufen wird.',
  ],
  description: ['Every hour helps. Tell us what you enjoy doing.', 'Jede Stunde hilft. Sagen Sie uns, was Sie gern tun.'],
  thanks: ['Thank you for your help. We will be in touch this week.', 'Vielen Dank für Ihre Hilfe. Wir melden uns noch diese Woche.'],
  items: [
    { type: 'section', label: ['About you', 'Über Sie'] },
    fullName,
    emailAddress,
    { ...phoneNumber, required: true },
    {
      type: 'boolean',
      key: 'of_age',
      label: ['Are you 18 or older?', 'Sind Sie mindestens 18 Jahre alt?'],
      required: true,
    },
    {
      type: 'short_text',
      key: 'guardian',
      label: ['Name and phone number of a parent', 'Name und Telefonnummer eines Elternteils'],
      help: ['We need their permission.', 'Wir brauchen deren Erlaubnis.'],
      required: true,
      max_length: 200,
      visible_if: { key: 'of_age', equals: false },
    },
    { type: 'section', label: ['What you would like to do', 'Was Sie gern tun würden'] },
    {
      type: 'multi_select',
      key: 'tasks',
      label: ['Tasks', 'Aufgaben'],
      required: true,
      options: [
        ['setup', 'Set up and take down', 'Auf- und Abbau'],
        ['welcome', 'Welcome people', 'Menschen empfangen'],
        ['kitchen', 'Kitchen', 'Küche'],
        ['driving', 'Driving', 'Fahren'],
        ['children', 'Look after children', 'Kinderbetreuung'],
      ],
    },
    {
      type: 'boolean',
      key: 'licence',
      label: ['Do you have a driving licence?', 'Haben Sie einen Führerschein?'],
      required: true,
      visible_if: { key: 'tasks', equals: 'driving' },
    },
    {
      type: 'multi_select',
      key: 'times',
      label: ['When do you have time?', 'Wann haben Sie Zeit?'],
      required: true,
      options: [
        ['weekday_day', 'Weekdays, by day', 'Werktags tagsüber'],
        ['weekday_evening', 'Weekdays, in the evening', 'Werktags abends'],
        ['saturday', 'Saturday', 'Samstag'],
        ['sunday', 'Sunday', 'Sonntag'],
      ],
    },
    { type: 'section', label: ['In an emergency', 'Im Notfall'] },
    { type: 'short_text', key: 'emergency_name', label: ['Whom should we call?', 'Wen sollen wir anrufen?'], max_length: 200 },
    {
      type: 'phone',
      key: 'emergency_phone',
      label: ['Their phone number', 'Telefonnummer'],
      visible_if: { key: 'emergency_name', answered: true },
    },
    consent,
  ],
};

import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const eventRegistration: Template = {
  id: 'event-registration',
  title: ['Event registration', 'Anmeldung zur Veranstaltung'],
  about: [
    'Who comes, in person or online, with how many guests, and what they eat.',
    'Wer kommt, vor Ort oder online, mit wie vielen Gästen und mit welchen Wünschen beim Essen.',
  ],
  description: [
    'Register by filling in this form. You can bring up to four guests.',
    'Melden Sie sich mit diesem Formular an. Sie können bis zu vier Gäste mitbringen.',
  ],
  thanks: ['You are registered. We look forward to seeing you.', 'Sie sind angemeldet. Wir freuen uns auf Sie.'],
  items: [
    { type: 'section', label: ['About you', 'Über Sie'] },
    fullName,
    emailAddress,
    {
      type: 'short_text',
      key: 'organization',
      label: ['Organization', 'Organisation'],
      max_length: 200,
      autocomplete: 'organization',
    },
    { type: 'section', label: ['Taking part', 'Teilnahme'] },
    {
      type: 'select',
      key: 'attendance',
      label: ['How will you take part?', 'Wie nehmen Sie teil?'],
      required: true,
      options: [
        ['in_person', 'In person', 'Vor Ort'],
        ['online', 'Online', 'Online'],
      ],
    },
    {
      type: 'integer',
      key: 'guests',
      label: ['How many guests do you bring?', 'Wie viele Gäste bringen Sie mit?'],
      help: ['Without yourself; 0 if you come alone.', 'Ohne Sie selbst; 0, wenn Sie allein kommen.'],
      min: 0,
      max: 4,
      required: true,
      visible_if: { key: 'attendance', equals: 'in_person' },
    },
    {
      type: 'multi_select',
      key: 'diet',
      label: ['What should the kitchen know?', 'Was sollte die Küche wissen?'],
      options: [
        ['vegetarian', 'Vegetarian', 'Vegetarisch'],
        ['vegan', 'Vegan', 'Vegan'],
        ['gluten_free', 'Without gluten', 'Ohne Gluten'],
        ['lactose_free', 'Without lactose', 'Ohne Laktose'],
        ['nut_allergy', 'Allergic to nuts', 'Nussallergie'],
      ],
      visible_if: { key: 'attendance', equals: 'in_person' },
    },
    {
      type: 'multi_select',
      key: 'workshops',
      label: ['Which workshops interest you?', 'Welche Workshops interessieren Sie?'],
      help: ['Choose up to two.', 'Wählen Sie höchstens zwei.'],
      max_choices: 2,
      options: [
        ['morning_a', 'Morning, room A', 'Vormittag, Raum A'],
        ['morning_b', 'Morning, room B', 'Vormittag, Raum B'],
        ['afternoon_a', 'Afternoon, room A', 'Nachmittag, Raum A'],
        ['afternoon_b', 'Afternoon, room B', 'Nachmittag, Raum B'],
      ],
    },
    {
      type: 'long_text',
      key: 'access_needs',
      label: ['What do you need to take part well?', 'Was brauchen Sie, um gut teilnehmen zu können?'],
      help: [
        'Such as step-free access, sign language or a quiet room.',
        'Zum Beispiel einen stufenlosen Zugang, Gebärdensprache oder einen ruhigen Raum.',
      ],
      max_length: 1_000,
    },
  ],
};

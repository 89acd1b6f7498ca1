import { consent, emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const jobApplication: Template = {
  id: 'job-application',
  title: ['Job application', 'Bewerbung'],
  about: [
    'Three pages with CV and letter. Applicants can save their answers and come back.',
    'Drei Seiten mit Lebenslauf und Anschreiben. Man kann Antworten speichern und später weitermachen.',
  ],
  description: [
    'Have your CV ready as a file. You can save your answers and come back within 14 days.',
    'Halten Sie Ihren Lebenslauf als Datei bereit. Sie können Ihre Antworten speichern und innerhalb von 14 Tagen weitermachen.',
  ],
  thanks: [
    'Thank you for your application. We reply within two weeks.',
    'Vielen Dank für Ihre Bewerbung. Wir melden uns innerhalb von zwei Wochen.',
  ],
  settings: { resume: { days: 14 }, review_before_sending: true },
  items: [
    { type: 'page', label: ['About you', 'Über Sie'] },
    fullName,
    emailAddress,
    phoneNumber,
    {
      type: 'select',
      key: 'position',
      label: ['Which position do you apply for?', 'Auf welche Stelle bewerben Sie sich?'],
      required: true,
      options: [
        ['engineering', 'Engineering', 'Entwicklung'],
        ['design', 'Design', 'Design'],
        ['support', 'Customer support', 'Kundenbetreuung'],
        ['speculative', 'None of these: a speculative application', 'Keine davon: Initiativbewerbung'],
      ],
    },
    {
      type: 'short_text',
      key: 'wanted_work',
      label: ['What would you like to do with us?', 'Was möchten Sie bei uns tun?'],
      required: true,
      max_length: 300,
      visible_if: { key: 'position', equals: 'speculative' },
    },
    { type: 'page', label: ['Experience', 'Erfahrung'] },
    {
      type: 'file',
      key: 'cv',
      label: ['CV', 'Lebenslauf'],
      help: ['A PDF of at most 10 MB.', 'Ein PDF mit höchstens 10 MB.'],
      required: true,
      accept: ['application/pdf'],
      max_bytes: 10_000_000,
    },
    {
      type: 'file',
      key: 'documents',
      label: ['References and certificates', 'Zeugnisse und Zertifikate'],
      accept: ['application/pdf'],
      multiple: true,
      max_files: 5,
      max_bytes: 10_000_000,
    },
    {
      type: 'url',
      key: 'portfolio',
      label: ['Link to your work', 'Link zu Ihren Arbeiten'],
      placeholder: ['https://example.org', 'https://example.org'],
      visible_if: { key: 'position', in: ['design', 'engineering'] },
    },
    {
      type: 'integer',
      key: 'years',
      label: ['Years of professional experience', 'Jahre Berufserfahrung'],
      min: 0,
      max: 60,
    },
    { type: 'page', label: ['Your application', 'Ihre Bewerbung'] },
    {
      type: 'long_text',
      key: 'motivation',
      label: ['Why do you want to work with us?', 'Warum möchten Sie bei uns arbeiten?'],
      required: true,
      max_length: 5_000,
    },
    { type: 'date', key: 'start_date', label: ['Earliest start date', 'Frühester Eintrittstermin'], required: true },
    { ...consent, label: ['You may store my application for six months', 'Sie dürfen meine Bewerbung sechs Monate lang speichern'] },
  ],
};

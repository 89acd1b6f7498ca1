import { defineWords } from '../../words/words';

export const words = defineWords(
  {
    language: 'Language',
    width: 'Width',
    desktop: 'Desktop',
    phone: 'Phone',
    look: 'Appearance',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  {
    language: 'Sprache',
    width: 'Breite',
    desktop: 'Bildschirm',
    phone: 'Telefon',
    look: 'Erscheinungsbild',
    system: 'Wie das System',
    light: 'Hell',
    dark: 'Dunkel',
  },
);

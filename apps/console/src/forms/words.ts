import { defineWords } from '../words/words';
import { de } from './words-de';
import { en } from './words-en';

export const words = defineWords(en, de);

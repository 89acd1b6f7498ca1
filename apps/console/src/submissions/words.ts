import { defineWords } from '../words/words';
import { english } from './english';
import { german } from './german';

export const words = defineWords(english, german);

import { defineWords } from '../words/words';

/** The states of deliveries. Apart from the other words of webhooks, because submissions show them too. */
export const stateWords = defineWords(
  { pending: 'Waiting', succeeded: 'Delivered', failed: 'Failed', cancelled: 'Cancelled', skipped: 'Skipped' },
  { pending: 'Wartet', succeeded: 'Zugestellt', failed: 'Fehlgeschlagen', cancelled: 'Abgebrochen', skipped: 'Übersprungen' },
);

import { z } from 'zod';
import { described } from '../described';
import { whole } from '../shapes';

/** `bytes`: of the stored events. One that is larger by itself is sent alone. */
export const batchBounds = { events: { min: 1, max: 100 }, seconds: { min: 1, max: 60 }, bytes: 1024 * 1024 } as const;

export const WebhookBatch = described(
  z.object({
    max_events: described(
      whole(batchBounds.events.min, batchBounds.events.max).default(batchBounds.events.max),
      'The most events of a batch.',
    ),
    max_seconds: described(
      whole(batchBounds.seconds.min, batchBounds.seconds.max).default(5),
      'How long its first event waits for others.',
    ),
  }),
  'Sends events together. A batch is closed when one of the two is reached, or 1 MB of events.',
);

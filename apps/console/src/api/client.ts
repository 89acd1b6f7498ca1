import { createClient } from '@sheaf/client';

/**
 * Sends the operations to the instance that served this page, with the cookie of its session. A person waits for the answers, so after a few
 * seconds of failures they are told, and decide themselves.
 */
export const client = createClient({ url: location.origin, retries: 2, maxRetryDelayMs: 3_000 });

import { createClient } from '@sheaf/client';
import { noteSignedOut } from '../session/signed-out';

/**
 * Sends the operations to the instance that served this page, with the cookie of its session. A person waits for the answers, so after a few
 * seconds of failures they are told, and decide themselves.
 */
export const client = createClient({
  url: location.origin,
  retries: 2,
  maxRetryDelayMs: 3_000,
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    // The page stays as it is, whichever request failed, until the person has signed in again. Signing in itself is refused with the same
    // status.
    if (response.status === 401 && !new URL(response.url).pathname.startsWith('/app/v1/sessions')) noteSignedOut();
    return response;
  },
});

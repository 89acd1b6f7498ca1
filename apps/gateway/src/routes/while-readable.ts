import { authorize, formRole, Problem } from '@sheaf/kernel';
import { toFormAccess } from '@sheaf/rpc';
import { setTimeout as wait } from 'node:timers/promises';
import { demandAccess } from '../callers/access';
import type { HandlerContext, Route } from '../route';
import type { Services } from './services';

/** A role on the form is looked up again at most this long after the last time. The caller is known from memory, where events keep it true. */
const lookEveryMs = 1_000;
const lookWithinMs = 5_000;
/** Nothing is sent while nobody can tell whether the caller may have it, such as while `forms` restarts. Then the connection is cut. */
const unknownForMs = 30_000;

interface Reading extends Pick<HandlerContext<unknown, unknown>, 'streamCall' | 'revalidate'> {
  forms: Pick<Services['forms'], 'getFormAccess'>;
  /** Of the route. */
  access: Route['access'];
  formId: string;
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

/**
 * Passes on what the caller may read of a form: each chunk only if they still have the access at that moment. Streams take as long as their
 * clients read, and whoever lost the access since must not get the rest.
 * @throws Problem once the access is lost, which cuts the connection
 */
export async function* whileReadable<Chunk>(chunks: AsyncIterable<Chunk>, reading: Reading): AsyncGenerator<Chunk> {
  const { now = Date.now, pause = wait } = reading;
  // The service that sends the first chunk has checked the access itself.
  let lookedAt = now();
  const look = async () => {
    const { access, formId, forms, revalidate, streamCall } = reading;
    const caller = await revalidate();
    demandAccess({ access, onInstance: undefined }, caller);
    if (now() - lookedAt < lookEveryMs) return;
    const facts = await forms.getFormAccess({ ...streamCall, deadline: Date.now() + lookWithinMs }, { form_id: formId });
    authorize(formRole(caller, toFormAccess(facts)), 'read submissions of this form');
    lookedAt = now();
  };
  for await (const chunk of chunks) {
    for (const since = now(); ; await pause(lookEveryMs)) {
      try {
        await look();
        break;
      } catch (error) {
        if (Problem.from(error).code !== 'unavailable' || now() - since >= unknownForMs) throw error;
      }
    }
    yield chunk;
  }
}

import { receiveEvents } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { EventStreams } from '../../event-streams/event-streams';
import { route, type Route } from '../../route';
import { Streamed } from '../../http/streamed';
import { rowOf } from '../derived';

/** Tells screens what changed. */
export const events = (eventStreams: EventStreams): Route[] => [
  route({
    ...rowOf(receiveEvents),
    stream: {
      'text/event-stream': {
        description: 'Server-sent events, in the format of the HTML standard, until either side closes the connection.',
        schema: { type: 'string' },
      },
    },
    handle: ({ caller, call, streamCall, revalidate, query, request, response }) => {
      if (caller.kind !== 'user') throw Problem.forbidden('This operation is for people.');
      const header = request.get('last-event-id');
      const { chunks, close } = eventStreams.add({
        caller,
        call,
        revalidate,
        lastEventId: header === undefined || header === '' ? query.last_event_id : header,
        until: streamCall.deadline,
        cut: () => response.destroy(),
      });
      response.once('close', close);
      if (response.destroyed) close();
      return Promise.resolve(
        new Streamed({ contentType: 'text/event-stream; charset=utf-8', headers: { 'X-Accel-Buffering': 'no' } }, chunks),
      );
    },
  }),
];

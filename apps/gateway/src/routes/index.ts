import type { EventStreams } from '../event-streams/event-streams';
import type { Route } from '../route';
import { app } from './app';
import { events } from './app/events';
import { derived } from './derived';
import { files } from './files';
import { paymentEvents } from './payment-events';
import { respondents } from './public';
import type { Services } from './services';
import { v1 } from './v1';

/** All routes of `/api/v1`, `/app/v1`, `/public/v1` and `/.well-known`. */
export const routes = (services: Services, eventStreams: EventStreams): Route[] => [
  ...derived(services),
  ...v1(services),
  ...app(services),
  ...events(eventStreams),
  ...respondents(services),
  ...paymentEvents(services),
  ...files(services),
];

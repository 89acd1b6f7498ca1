import type { EventStreams } from '../event-streams/event-streams';
import { routes } from '../routes';
import type { Services } from '../routes/services';
import { openApiDocument } from './document';

/** The document of this version, as text. The routes are only described, never called, so they need no services. */
export const currentDocument = (): string =>
  `${JSON.stringify(openApiDocument(routes({} as Services, {} as EventStreams)), undefined, 2)}\n`;

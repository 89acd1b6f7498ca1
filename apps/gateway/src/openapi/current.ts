import { routes } from '../routes';
import type { Services } from '../routes/services';
import { openApiDocument } from './document';

/** The document of this version, as text. The rows are only read here, none is served: no services stand behind them. */
export const currentDocument = (): string => `${JSON.stringify(openApiDocument(routes({} as Services)), undefined, 2)}\n`;

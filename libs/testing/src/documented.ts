import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { hangMs } from './eventually';
import { keptForAllFiles } from './kept-for-all-files';

interface Operation {
  responses: Record<string, Answer | undefined>;
}
interface Answer {
  $ref?: string;
  content?: Record<string, unknown>;
}
interface OpenApi {
  paths: Record<string, Record<string, Operation | undefined>>;
  components: { responses: Record<string, Answer> };
}

/** A request of a client and the system's response. */
export interface Exchange {
  method: string;
  /** The path with its query. */
  path: string;
  status: number;
  contentType: string | null;
  /** The parsed body if it is JSON; undefined if it is empty. */
  body: unknown;
}

interface Loaded {
  api: OpenApi;
  ajv: Ajv2020;
  /** By reference. */
  compiled: Map<string, ValidateFunction>;
}

/** By its text. */
const documents = keptForAllFiles<Loaded>('documents of the API');

/** Compares the responses of a system with an OpenAPI document. */
export class Documented {
  private loading: Promise<Loaded> | undefined;

  /** @param document as an object, or the address of a running system, which serves it */
  constructor(private readonly document: string | object) {}

  /** The status with which an operation answers when all is well. @throws Error if there is no such operation */
  async successOf(method: string, pathname: string): Promise<number> {
    const { api } = await this.loaded();
    const template = templateOf(api, pathname, method.toLowerCase());
    const operation = template === undefined ? undefined : api.paths[template]?.[method.toLowerCase()];
    if (!operation) throw new Error(`the OpenAPI document has no operation ${method} ${pathname}`);
    return Number(Object.keys(operation.responses).find((status) => status.startsWith('2')));
  }

  /** @throws Error that says how the response differs from the document. */
  async check(exchange: Exchange): Promise<void> {
    const loaded = await this.loaded();
    const { api } = loaded;
    const { status, contentType, body } = exchange;
    const pathname = exchange.path.split('?', 1)[0] ?? '';
    const method = exchange.method.toLowerCase();
    const said = `${exchange.method} ${exchange.path} answered ${status} ${body === undefined ? 'without a body' : JSON.stringify(body)}`;

    const template = templateOf(api, pathname, method);
    const operation = template === undefined ? undefined : api.paths[template]?.[method];
    if (template === undefined || !operation) throw new Error(`${said}, but the OpenAPI document has no such operation`);
    const answer = operation.responses[status];
    if (!answer) throw new Error(`${said}, but the OpenAPI document documents only ${Object.keys(operation.responses).join(', ')} there`);

    const shared = answer.$ref?.replace('#/components/responses/', '');
    const { content } = shared === undefined ? answer : (api.components.responses[shared] ?? {});
    if (!content) {
      if (body !== undefined) throw new Error(`${said}, but the OpenAPI document documents no body`);
      return;
    }
    const type = (contentType ?? 'nothing').split(';', 1)[0]?.trim() ?? '';
    if (!Object.hasOwn(content, type) && !Object.hasOwn(content, '*/*'))
      throw new Error(`${said} as ${type}, not as ${Object.keys(content).join(' or ')}`);
    // Binary content has no schema to check.
    if (type !== 'application/json') return;

    const pointer = shared === undefined ? ['paths', template, method, 'responses', String(status)] : ['components', 'responses', shared];
    const matches = validator(loaded, [...pointer, 'content', 'application/json', 'schema']);
    if (!matches(body)) {
      const unknown =
        matches.errors?.map(({ params }) => (params as { unevaluatedProperty?: string }).unevaluatedProperty).filter(Boolean) ?? [];
      const names = unknown.length > 0 ? ` (${unknown.join(', ')})` : '';
      throw new Error(
        `${said}, which does not match the OpenAPI document: ${loaded.ajv.errorsText(matches.errors, { dataVar: 'body' })}${names}`,
      );
    }
  }

  private loaded(): Promise<Loaded> {
    return (this.loading ??= load(this.document));
  }
}

function validator({ ajv, compiled }: Loaded, pointer: readonly string[]): ValidateFunction {
  const $ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const validate = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, validate);
  return validate;
}

async function load(document: string | object): Promise<Loaded> {
  const text = typeof document === 'string' ? await served(document) : JSON.stringify(document);
  const loaded = documents.get(text) ?? loadedFrom(JSON.parse(text) as OpenApi);
  documents.set(text, loaded);
  return loaded;
}

function loadedFrom(api: OpenApi): Loaded {
  // Not strict about keywords, because the document contains more than schemas. The linter checks its schemas. Shortening code that runs a few times
  // takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false, code: { optimize: false } });
  addFormats(ajv);
  ajv.addSchema(exact(api) as object, 'api');
  return { api, ajv, compiled: new Map() };
}

async function served(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/openapi.json`, { signal: AbortSignal.timeout(hangMs) });
  if (response.status !== 200) throw new Error(`the OpenAPI document is not served: ${response.status}`);
  return response.text();
}

/** Finds the documented path of a request. A literal path takes precedence over one with parameters. */
function templateOf(api: OpenApi, pathname: string, method: string): string | undefined {
  const fits = Object.keys(api.paths).filter(
    (template) => api.paths[template]?.[method] && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** Makes the schemas reject unknown fields: clients must tolerate them, but our tests must not. */
function exact(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(exact);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, exact(value)]));
  if (copy.type === 'object' && typeof copy.properties === 'object' && copy.additionalProperties === undefined)
    copy.unevaluatedProperties = false;
  return copy;
}

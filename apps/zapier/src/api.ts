import type { AfterResponseMiddleware, Bundle, HttpRequestOptions, HttpResponse, RawHttpResponse, ZObject } from 'zapier-platform-core';

/** The parts of a bundle that calls need. */
export type Connection = Pick<Bundle, 'authData'>;

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Begins with a slash. Build it with {@link path}, which encodes ids. */
  path: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Statuses that are not failures here. */
  accept?: readonly number[];
}

/** The path of a resource, with every value encoded, so that an id from elsewhere cannot reach another resource. */
export const path = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  texts.map((text, index) => text + encodeURIComponent(values[index] ?? '')).join('');

/** Calls the API and returns the JSON body; nothing if the answer has none (204). Failures throw: see {@link throwProblem}. */
export async function call<T>(z: ZObject, connection: Connection, { method = 'GET', ...request }: Call): Promise<T> {
  const { headers, ...fixed } = options(connection, request.path);
  const response: HttpResponse<T> = await z.request({
    ...fixed,
    method,
    headers: { ...request.headers, ...headers },
    ...(request.params ? { params: request.params } : {}),
    ...(request.body ? { body: request.body } : {}),
    middlewareData: { accept: request.accept ?? [] },
    // The middleware below decides.
    skipThrowForStatus: true,
  });
  return dataOf(z, response);
}

/** The data of a success, which must be Sheaf's: a proxy may answer with a page, or with nothing. */
export function dataOf<T>(z: ZObject, response: HttpResponse<T>): T {
  const { status, content, data } = response;
  if (status === 204 || (typeof data === 'object' && data !== null)) return data;
  const what = content === '' ? 'an empty response' : 'something that is not JSON';
  const code = content === '' ? 'empty_response' : 'unexpected_response';
  throw new z.errors.Error(`The server answered with ${what}. Check the URL of the connection.`, code, status);
}

/** Downloads a file as a stream. */
export const download = (z: ZObject, connection: Connection, filePath: string): Promise<RawHttpResponse> =>
  z.request({ ...options(connection, filePath), raw: true });

/** A redirect is not followed: it would turn a POST into a GET, and could take the key to another host. */
const options = ({ authData }: Connection, requestPath: string): HttpRequestOptions & { url: string } => ({
  url: instanceUrl(authData.url) + requestPath,
  headers: { Authorization: `Bearer ${authData.api_key ?? ''}`, Accept: 'application/json' },
  redirect: 'manual',
});

export const instanceUrl = (url = ''): string => url.trim().replace(/(?<!\/)\/+$/, '');

interface Problem {
  error?: { code?: unknown; message?: unknown };
}

/** Turns every failure into the error that Zapier shows, with the message and the code of the API. */
export const throwProblem: AfterResponseMiddleware = (response, z) => {
  const { accept = [] } = (response.request.middlewareData ?? {}) as { accept?: readonly number[] };
  const { status } = response;
  if (status < 300 || accept.includes(status)) return response;

  if (status < 400) throw redirected(response, z);
  const { code, message } = readProblem(response);
  const text = message ?? `The server answered with status ${status}. Check the URL of the connection.`;
  // Zapier asks people to connect again.
  if (status === 401) throw new z.errors.ExpiredAuthError(text);
  if (status === 429) throw new z.errors.ThrottledError(text, Number(response.getHeader('retry-after')) || 60);
  throw new z.errors.Error(text, code ?? 'unexpected_response', status);
};

/** It names the origin only, as the rest of the address may have a secret in it. */
function redirected(response: HttpResponse, z: ZObject): Error {
  const to = response.getHeader('location');
  const { url } = response.request;
  const origin = to && url && URL.canParse(to, url) ? new URL(to, url).origin : 'another address';
  const text = `The server redirects to ${origin} (status ${response.status}). Give the connection the address where Sheaf itself answers.`;
  return new z.errors.Error(text, 'redirected', response.status);
}

function readProblem(response: HttpResponse): { code?: string; message?: string } {
  const { error } = body(response);
  return {
    ...(typeof error?.code === 'string' ? { code: error.code } : {}),
    ...(typeof error?.message === 'string' ? { message: error.message } : {}),
  };
}

/** The body of a failure; empty if it is not JSON, such as a proxy's page, or if it is a stream. */
function body(response: HttpResponse): Problem {
  try {
    return (JSON.parse(response.content) ?? {}) as Problem;
  } catch {
    return {};
  }
}

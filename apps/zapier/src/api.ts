import type { AfterResponseMiddleware, Bundle, HttpRequestOptions, HttpResponse, RawHttpResponse, ZObject } from 'zapier-platform-core';

/** The parts of a bundle that calls need. */
export type Connection = Pick<Bundle, 'authData'>;

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Begins with a slash. Build it with {@link path}, which encodes ids. */
  path: string;
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Statuses that are not failures here. */
  accept?: readonly number[];
}

/** The path of a resource, with every value encoded, so that an id from elsewhere cannot reach another resource. */
export const path = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  texts.map((text, index) => text + encodeURIComponent(values[index] ?? '')).join('');

/** Calls the API and returns the JSON body. Failures throw: see {@link throwProblem}. */
export async function call<T>(z: ZObject, connection: Connection, { method = 'GET', ...request }: Call): Promise<T> {
  const response: HttpResponse<T> = await z.request({
    ...options(connection, request.path),
    method,
    ...(request.params ? { params: request.params } : {}),
    ...(request.body ? { body: request.body } : {}),
    middlewareData: { accept: request.accept ?? [] },
    // The middleware below decides.
    skipThrowForStatus: true,
  });
  return response.data;
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

export const instanceUrl = (url = ''): string => url.trim().replace(/\/+$/, '');

interface Problem {
  error?: { code?: unknown; message?: unknown };
}

/** Turns every failure into the error that Zapier shows, with the message and the code of the API. */
export const throwProblem: AfterResponseMiddleware = (response, z) => {
  const { accept = [] } = (response.request.middlewareData ?? {}) as { accept?: readonly number[] };
  const { status } = response;
  if (status < 300 || accept.includes(status)) return response;

  const { code, message } = readProblem(response);
  const text = message ?? `The server answered with status ${status}. Check the URL of the connection.`;
  // Zapier asks people to connect again.
  if (status === 401) throw new z.errors.ExpiredAuthError(text);
  if (status === 429) throw new z.errors.ThrottledError(text, Number(response.getHeader('retry-after')) || 60);
  throw new z.errors.Error(text, code ?? 'unexpected_response', status);
};

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

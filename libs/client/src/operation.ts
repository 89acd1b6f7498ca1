// The terms of the generated operations: each passes its options and its path to a client.
import type { EncodedBody, StreamedFile } from './form-data';

export { formDataBodySerializer } from './form-data';

/** The fields of a request that the contract knows. */
export interface OperationRequest {
  client: Client;
  /** The path, with the names of its parameters in braces. */
  url: string;
  path?: object | undefined;
  query?: object | undefined;
  headers?: object | undefined;
  body?: unknown;
  /** Present if the operation needs a credential. */
  security?: readonly object[];
  encodeBody?: (body: never) => EncodedBody;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
}

/** Sends the operations to one instance of Sheaf. `createClient` makes one. */
export interface Client {
  get: Send;
  put: Send;
  post: Send;
  patch: Send;
  delete: Send;
  /** Waits as before an attempt that follows this many failures. */
  pause: (failures: number, signal?: AbortSignal) => Promise<void>;
}

type Send = <Responses>(request: OperationRequest) => Promise<Answer<Responses[keyof Responses]>>;

/** An operation resolves to the data of its answer; one that answers with a file, to the response, whose body is a stream. */
export type Answer<Data> = [Data] extends [Blob] ? FileResponse : Data;

/** The response to an operation that answers with a file. Its headers name the file and its type. Read the body, or cancel it. */
export type FileResponse = Response & { readonly body: ReadableStream<Uint8Array> };

/** The options of an operation: the parts of its request, and how to send it. */
export type Options<Data> = {
  [Part in keyof Data as Part extends 'url' | 'headers' ? never : Part]: Part extends 'body' ? Body<Data[Part]> : Data[Part];
} & {
  client: Client;
  /** Further headers. */
  headers?: (Data extends { headers?: infer Headers } ? Headers : unknown) & Record<string, string | undefined>;
  /** Ends the request and its retries. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Instead of the client's `retries`. */
  retries?: number | undefined;
};

type Body<Sent> = Sent extends { file: Blob } ? { file: Blob | StreamedFile } : Sent;

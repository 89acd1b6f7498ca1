import app from 'sheaf-zapier';
import zapier, { type Bundle } from 'zapier-platform-core';

export { app };

/** The app as Zapier runs it. */
export const run = zapier.createAppTester(app);

interface DynamicField extends Record<string, unknown> {
  key: string;
}

/** The fields that a function among input or output fields makes of the form. */
export const dynamicFields = (from: unknown, bundle: object): Promise<DynamicField[]> => run<DynamicField[], Bundle>(from as never, bundle);

export interface Connection {
  url: string;
  api_key: string;
}

/** The message and code of an error that the app threw; Zapier wraps them as JSON. */
export async function failureOf(
  running: Promise<unknown>,
): Promise<{ name: string; message: string; code?: string; status?: number; delay?: number }> {
  try {
    await running;
  } catch (error) {
    const { name, message } = error as Error;
    return { name, ...(message.startsWith('{') ? (JSON.parse(message) as { message: string }) : { message }) };
  }
  throw new Error('It did not fail.');
}

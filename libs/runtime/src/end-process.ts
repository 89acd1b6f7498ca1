import { flushOutput } from './output';

/**
 * Ends the process after all its output is flushed: `process.exit` alone cuts off output that does not fit into a pipe at once. A stream
 * handles its writes in order, so the empty write completes last. It fails, harmlessly, once the reader has gone.
 */
export async function endProcess(code: number): Promise<never> {
  flushOutput();
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => void stream.on('error', () => undefined).write('', () => resolve())),
    ),
  );
  process.exit(code);
}

/**
 * Ends the process once standard output and standard error have taken what was written to them: `process.exit` alone cuts off what does not fit
 * into a pipe at once. A stream works its writes off in order, so the empty one comes last. It fails if nobody reads any more.
 */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => void stream.on('error', () => undefined).write('', () => resolve()))));
  process.exit(code);
}

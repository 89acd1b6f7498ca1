import { once } from 'node:events';
import { relative } from 'node:path';
import { watch } from 'chokidar';

/** How long to collect changes: an editor may save several files at once, and git may change many. */
const batchMs = 50;

/** Generated files, and folders that have no sources. */
const unwatched = /[\\/](?:node_modules|generated|\.[^\\/]+)(?:[\\/]|$)/;

/**
 * Reports files below these folders that were changed, added or removed, in batches.
 * @param root the reported paths are relative to it, with `/` as separator
 * @returns a function that stops watching; resolves once the watch has begun
 */
export async function watchSources(
  root: string,
  folders: readonly string[],
  onChange: (files: string[]) => void,
): Promise<() => Promise<void>> {
  const toPath = (file: string) => relative(root, file).replaceAll('\\', '/');
  let batch = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const files = [...batch];
    batch = new Set();
    timer = undefined;
    onChange(files);
  };

  const watcher = watch([...folders], { cwd: root, ignoreInitial: true, ignored: (path) => unwatched.test(`/${toPath(path)}`) });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    batch.add(path.replaceAll('\\', '/'));
    timer ??= setTimeout(flush, batchMs);
  });
  await once(watcher, 'ready');
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}

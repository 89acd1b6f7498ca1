import { once } from 'node:events';
import { relative } from 'node:path';
import { watch } from 'chokidar';

/** The time within which an editor saves several files, or git changes many. */
const gatherMs = 50;

/** Generated files, and folders that have no sources. */
const unwatched = /[\\/](?:node_modules|generated|\.[^\\/]+)(?:[\\/]|$)/;

/**
 * Reports files below these folders that were changed, added or removed, in batches.
 * @param root the reported paths are relative to it, with `/` as separator
 * @returns once it watches, a function that ends it
 */
export async function watchSources(
  root: string,
  folders: readonly string[],
  onChange: (files: string[]) => void,
): Promise<() => Promise<void>> {
  const toPath = (file: string) => relative(root, file).replaceAll('\\', '/');
  let gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    const files = [...gathered];
    gathered = new Set();
    timer = undefined;
    onChange(files);
  };

  const watcher = watch([...folders], { cwd: root, ignoreInitial: true, ignored: (path) => unwatched.test(`/${toPath(path)}`) });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    gathered.add(path.replaceAll('\\', '/'));
    timer ??= setTimeout(tell, gatherMs);
  });
  await once(watcher, 'ready');
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}

import { once } from 'node:events';
import { relative } from 'node:path';
import { watch } from 'chokidar';

/** An editor that saves several files, and git, which changes many, do it within this time. */
const gatherMs = 50;

/** What is written by us, or is no source. */
const unwatched = /[\\/](?:node_modules|generated|\.[^\\/]+)(?:[\\/]|$)/;

/**
 * Tells of the files below these folders that were changed, made or removed, those of one moment together.
 * @param root that the paths are relative to, with `/` between their parts
 * @returns how to end it, once it watches
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

/** The text of a version's section, without its heading; undefined if there is none. */
export function sectionOf(changelog: string, version: string): { date: string; text: string } | undefined {
  const [heading = '', ...lines] = sections(changelog).find((section) => headingOf(section)?.version === version) ?? [];
  const date = /^## \S+ - (.*)$/.exec(heading)?.[1];
  return date === undefined ? undefined : { date, text: lines.join('\n').trim() };
}

/** The entries under *Unreleased*. */
export const unreleased = (changelog: string): string =>
  (sections(changelog).find(([first]) => first === '## Unreleased') ?? []).slice(1).join('\n').trim();

/** Moves what stands under *Unreleased* into the section of a version, below it. */
export function withRelease(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${date}`);
}

const headingOf = ([first = '']: readonly string[]) => {
  const version = /^## (\d\S*) - \S+$/.exec(first)?.[1];
  return version === undefined ? undefined : { version };
};

/** The lines of each section, its heading first. */
function sections(changelog: string): string[][] {
  const found: string[][] = [];
  for (const line of changelog.split('\n')) {
    if (line.startsWith('## ')) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found;
}

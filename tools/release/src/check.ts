import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionOf, unreleased } from './changelog';
import { disagreements, versionOf } from './places';

/** `1.2.3` or `1.2.3-rc.1`, as Semantic Versioning writes it, and as an image's tag can be. */
export const isVersion = (text: string): boolean =>
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/.test(text);

/** Why a tag must not be released; empty if it may. Whether the version exists already is for the registry to say: `deploy/images.mjs`. */
export function faultsOf(root: string, tag: string): string[] {
  const version = versionOf(root);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = sectionOf(changelog, version);
  return [
    ...(isVersion(version) ? [] : [`package.json: ${version} is not a version such as 1.2.3.`]),
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but package.json says ${version}.`]),
    ...disagreements(root),
    ...(section === undefined ? [`CHANGELOG.md has no section "## ${version} - <date>".`] : []),
    ...(section?.text === '' ? [`CHANGELOG.md says nothing about ${version}.`] : []),
    ...(unreleased(changelog) === '' ? [] : [`CHANGELOG.md: what stands under Unreleased would be released without being told.`]),
    ...(section === undefined || isDay(section.date) ? [] : [`CHANGELOG.md: ${section.date} is not a day such as 2026-11-26.`]),
  ];
}

/** A day of the calendar: `Date` would take February 30 for March 2. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

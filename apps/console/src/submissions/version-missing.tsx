import { useWords } from '../words/use-words';

/** Says why answers stand under their keys. */
export function VersionMissing({ version }: { version: number }) {
  return <p role="note">{useWords('submissions').versionMissing(version)}</p>;
}

import { Heading } from '../parts/heading';
import { useReading } from '../reading';
import type { Frame, SavedPage } from '../view';
import { formatInstant } from '../words/formats';

export function Saved({ page, form }: { page: SavedPage; form: Frame['form'] }) {
  const { words, language, timeZone } = useReading();
  return (
    <div data-saved="">
      <Heading form={form} title={words.savedTitle} />
      <p>{words.savedExplanation(formatInstant(language, page.expiresAt, timeZone))}</p>
      <div className="panel">
        <p>
          <a className="address" dir="ltr" href={page.link}>
            {page.link}
          </a>
        </p>
        <button type="button" data-copy={page.link} data-copied={words.linkCopied} hidden>
          {words.copyLink}
        </button>
      </div>
      <p className="status" id="status" role="status" />
      <p className="muted">{words.linkIsSecret}</p>
    </div>
  );
}

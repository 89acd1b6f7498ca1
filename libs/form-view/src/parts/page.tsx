import type { ReactNode } from 'react';
import { useReading } from '../reading';
import type { Frame } from '../view';
import { languageNameOf } from '../words/languages';
import { directionOf } from '../words/tags';
import { Mark } from './mark';

interface PageProps {
  frame: Frame;
  title: string;
  isListed: boolean;
  /** The address of the script that follows conditions and formulas; undefined if the page has none. */
  follower: string | undefined;
  /** Whether its texts show answers to its own questions. */
  hasPiping: boolean;
  /** Whether it has long lists of options. */
  hasSearch: boolean;
  /** Whether people can draw on it. */
  hasPad: boolean;
  children: ReactNode;
}

/** The document around every page: the same head, language switch and help at the same places. */
export function Page({ frame, title, isListed, follower, hasPiping, hasSearch, hasPad, children }: PageProps) {
  const { documentLanguage, direction } = useReading();
  const { assets, logo } = frame;
  return (
    <html lang={documentLanguage} dir={direction} data-embedded={frame.isEmbedded ? '' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {!isListed && <meta name="robots" content="noindex" />}
        <title>{title}</title>
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
        <link rel="stylesheet" href={assets.style} />
        {assets.theme !== undefined && <link rel="stylesheet" href={assets.theme} />}
        {assets.script !== undefined && <script defer src={assets.script} />}
        {assets.script !== undefined && follower !== undefined && <script defer src={follower} />}
        {/* After that, as it shows nothing of questions that are hidden. */}
        {assets.script !== undefined && hasPiping && <script defer src={assets.piping} />}
        {assets.script !== undefined && hasSearch && <script defer src={assets.search} />}
        {assets.script !== undefined && hasPad && <script defer src={assets.sign} />}
      </head>
      <body>
        {(logo !== undefined || frame.languages.length > 0) && (
          <header>
            {/* The title of the form says whose it is; the logo only repeats it. */}
            {logo !== undefined && <img className="logo" src={logo} alt="" fetchPriority="low" />}
            <Languages frame={frame} />
          </header>
        )}
        <main>{children}</main>
        <footer>
          <Help frame={frame} />
          <p className="maker">
            <Mark /> Sheaf
          </p>
        </footer>
      </body>
    </html>
  );
}

function Languages({ frame: { languages, language } }: { frame: Frame }) {
  if (languages.length === 0) return null;
  return (
    <nav>
      <ul className="languages">
        {languages.map((each) => (
          <li key={each.language}>
            <a
              href={each.href}
              lang={each.language}
              hrefLang={each.language}
              dir={directionOf(each.language)}
              aria-current={each.language === language ? 'true' : undefined}
            >
              {languageNameOf(each.language)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The place of help: after the content of every page. */
function Help({ frame: { form, isEmbedded } }: { frame: Frame }) {
  const { words } = useReading();
  const contact = form?.settings.help_contact;
  if (!contact) return null;
  const { email, phone, url } = contact;
  return (
    <section className="help">
      <h2>{words.help}</h2>
      <ul>
        {email !== undefined && (
          <li>
            <a href={`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`} dir="ltr">
              {email}
            </a>
          </li>
        )}
        {phone !== undefined && (
          <li>
            <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} dir="ltr">
              {phone}
            </a>
          </li>
        )}
        {url !== undefined && (
          <li>
            <a href={url} dir="ltr" rel="noreferrer" target={isEmbedded ? '_blank' : undefined}>
              {url.replace(/^https?:\/\//i, '')}
            </a>
          </li>
        )}
      </ul>
    </section>
  );
}

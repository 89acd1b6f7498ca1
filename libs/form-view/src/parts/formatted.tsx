import { readFormattedLabel, readFormattedText, type Block, type Inline } from '@sheaf/contracts';
import { useReading } from '../reading';
import type { LocalText } from '../words/localized';
import { Answer } from './piped';
import { ownDirection, useForeign } from './text';

/**
 * A longer text of the author, with its paragraphs, lists, emphasis and links.
 * @param hasAnswers whether it may show answers
 */
export function Formatted({ text: { text, lang }, className, hasAnswers }: { text: LocalText; className?: string; hasAnswers: boolean }) {
  return (
    <div className={className === undefined ? 'written' : `${className} written`} lang={useForeign(lang)} dir={ownDirection(lang)}>
      <Blocks blocks={readFormattedText(text, hasAnswers)} />
    </div>
  );
}

/** A text of the author within a line, isolated as `Written` is, with emphasis, links and answers. */
export function FormattedLabel({ text: { text, lang } }: { text: LocalText }) {
  return (
    <bdi dir={ownDirection(lang)} lang={useForeign(lang)}>
      <Parts content={readFormattedLabel(text)} />
    </bdi>
  );
}

const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) =>
    block.kind === 'paragraph' ? (
      <p key={index}>
        <Parts content={block.content} />
      </p>
    ) : (
      <List key={index} list={block} />
    ),
  );

function List({ list: { start, items } }: { list: Extract<Block, { kind: 'list' }> }) {
  const entries = items.map((blocks, index) => (
    <li key={index}>
      <Blocks blocks={blocks} />
    </li>
  ));
  return start === undefined ? <ul>{entries}</ul> : <ol start={start === 1 ? undefined : start}>{entries}</ol>;
}

const Parts = ({ content }: { content: readonly Inline[] }) => content.map((part, index) => <Part key={index} part={part} />);

function Part({ part }: { part: Inline }) {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'break':
      return <br />;
    case 'pipe':
      return <Answer pipe={part} />;
    case 'emphasis':
      return (
        <em>
          <Parts content={part.content} />
        </em>
      );
    case 'strong':
      return (
        <strong>
          <Parts content={part.content} />
        </strong>
      );
    case 'link':
      return <Link link={part} />;
  }
}

/** Answers that are not sent yet must not be lost to a link: a page opens in a new window, and everybody is told so. */
function Link({ link: { href, content } }: { link: Extract<Inline, { kind: 'link' }> }) {
  const { words, documentLanguage } = useReading();
  const isPage = /^http/i.test(href);
  return (
    <a href={href} target={isPage ? '_blank' : undefined} rel="noopener">
      <Parts content={content} />
      {isPage && (
        <>
          {' '}
          <bdi className="opens" lang={documentLanguage} dir={ownDirection(documentLanguage)}>
            ({words.opensNewWindow})
          </bdi>
        </>
      )}
    </a>
  );
}

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWords } from '../words/use-words';
import { Button, IconButton } from './button';
import { toast } from './toasts';

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, label, isIcon = false }: { text: string; label?: string; isIcon?: boolean }) {
  const say = useWords('everywhere').parts;
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    copyText(text).then(
      () => setIsCopied(true),
      () => toast({ text: say.copyFailed }),
    );
  };
  const icon = isCopied ? Check : Copy;
  return (
    <>
      {isIcon ? (
        <IconButton isSmall icon={icon} label={label ?? say.copy} onPress={copy} />
      ) : (
        <Button isSmall icon={icon} onPress={copy}>
          {isCopied ? say.copied : (label ?? say.copy)}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {isCopied ? say.copied : ''}
      </span>
    </>
  );
}

/** `navigator.clipboard` exists on secure pages only: an instance may be reached over plain http in a private network. */
async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies on such a page
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('The browser refused to copy.');
}

import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { useWords } from '../words/use-words';
import { Button, IconButton } from './button';
import style from './toasts.module.css';

interface Toast {
  text: string;
  /** Takes back what was just done. */
  onUndo?: (() => void) | undefined;
}

type Shown = Toast & { id: number };

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => show(shown.filter((each) => each.id !== id));

/** Says at the edge of the screen that something is done, for ten seconds. At most three at once. */
export function toast(message: Toast): void {
  show([...shown.slice(-2), { ...message, id: ++lastId }]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Shows the toasts, once in the page. */
export function Toasts() {
  const say = useWords('everywhere').parts;
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <section aria-label={say.notifications}>
      {/* Always in the page, so that screen readers notice what is put in. */}
      <div aria-live="polite" className={style.region}>
        {toasts.map((each) => (
          <ToastItem key={each.id} toast={each} />
        ))}
      </div>
    </section>
  );
}

function ToastItem({ toast: { id, text, onUndo } }: { toast: Shown }) {
  const say = useWords('everywhere').parts;
  useEffect(() => {
    // People who work with the keyboard or a screen reader need time to reach *Undo*.
    const timer = setTimeout(() => dismiss(id), onUndo ? 20_000 : 8_000);
    return () => clearTimeout(timer);
  }, [id, onUndo]);
  return (
    <div className={style.toast}>
      <span>{text}</span>
      {onUndo && (
        <Button
          isSmall
          onPress={() => {
            dismiss(id);
            onUndo();
          }}
        >
          {say.undo}
        </Button>
      )}
      <IconButton isSmall icon={X} label={say.close} onPress={() => dismiss(id)} />
    </div>
  );
}

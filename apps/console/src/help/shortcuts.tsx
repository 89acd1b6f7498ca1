import { Dialog } from '../parts/dialog';
import { useWords } from '../words/use-words';
import style from './help.module.css';

/** The keyboard shortcuts, by where they work. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const say = useWords('help');
  const groups: [title: string, shortcuts: [keys: string[], meaning: string][]][] = [
    [
      say.everywhere,
      [
        [['Ctrl', 'K'], say.openPalette],
        [['?'], say.showShortcuts],
        [['Esc'], say.closeAnything],
      ],
    ],
    [
      say.inSubmissions,
      [
        [['j', 'k'], say.nextPrevious],
        [['Enter'], say.openSubmission],
        [['x'], say.select],
        [['s'], say.setStatus],
        [['a'], say.assign],
        [['v'], say.lookAtFiles],
        [['/'], say.searchSubmissions],
      ],
    ],
    [say.inBuild, [[['Ctrl', 'Z'], say.undoRedo]]],
  ];
  return (
    <Dialog title={say.shortcuts} onClose={onClose} isDismissable>
      {groups.map(([title, shortcuts]) => (
        <section key={title} className={style.group}>
          <h3>{title}</h3>
          <dl className={style.shortcuts}>
            {shortcuts.map(([keys, meaning]) => (
              <div key={meaning}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="muted">{say.shortcutsHelp}</p>
    </Dialog>
  );
}

import { cloneElement, lazy, Suspense, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode, type Ref } from 'react';
import type { MenuProps as AriaMenuProps } from 'react-aria-components/Menu';
import type * as MenuListModule from './menu-list';

/** Lists and overlays are much code, which the first page does without until a menu opens. Known once `MenuList` is shown. */
let list: typeof MenuListModule | undefined;
const loadList = async () => (list ??= await import('./menu-list'));
const MenuList = lazy(async () => ({ default: (await loadList()).MenuList }));

interface TriggerProps {
  ref?: Ref<HTMLButtonElement>;
  onPress?: () => void;
  onHoverStart?: () => void;
  onFocus?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

/** A button of `parts/button`, and the menu that it opens. */
export function Menu({
  trigger,
  label,
  children,
  ...props
}: { trigger: ReactElement; label: string; children: ReactNode } & Omit<AriaMenuProps<object>, 'children' | 'className' | 'style'>) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { ref: ownRef } = trigger.props as TriggerProps;
  const warm = () => void loadList().catch(() => undefined);
  return (
    <>
      {cloneElement(trigger as ReactElement<TriggerProps>, {
        ref: (element) => {
          button.current = element;
          // A screen may have a shortcut that presses the button.
          if (typeof ownRef === 'function') ownRef(element);
          else if (ownRef) ownRef.current = element;
        },
        onPress: () => setIsOpen(true),
        onHoverStart: warm,
        onFocus: warm,
        onKeyDown: (event) => (event.key === 'ArrowDown' || event.key === 'ArrowUp') && setIsOpen(true),
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
      })}
      {isOpen && (
        <Suspense>
          <MenuList {...props} triggerRef={button} label={label} onClose={() => setIsOpen(false)}>
            {children}
          </MenuList>
        </Suspense>
      )}
    </>
  );
}

export const MenuItem = (props: MenuListModule.MenuItemProps) => list && <list.MenuItem {...props} />;
export const MenuSection = (props: MenuListModule.SectionProps) => list && <list.MenuSection {...props} />;
export const MenuSeparator = () => list && <list.MenuSeparator />;

import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
} from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { classes } from './classes';
import style from './overlay.module.css';

/** A button, and the menu that it opens. */
export function Menu({
  trigger,
  label,
  children,
  ...props
}: { trigger: ReactElement; label: string; children: ReactNode } & Omit<AriaMenuProps<object>, 'children' | 'className' | 'style'>) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={style.popover ?? ''} offset={4}>
        <AriaMenu {...props} aria-label={label} className={style.menu ?? ''}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'children' | 'className' | 'style'> {
  icon?: LucideIcon;
  children: ReactNode;
  /** For what destroys something. */
  isDanger?: boolean;
  /** At the end of the line, such as a shortcut. */
  after?: ReactNode;
}

export function MenuItem({ icon: Icon, children, isDanger, after, ...props }: MenuItemProps) {
  return (
    <AriaMenuItem
      {...props}
      {...(typeof children === 'string' ? { textValue: children } : {})}
      className={classes(style.item, isDanger && style.danger)}
    >
      {Icon && <Icon size={16} aria-hidden />}
      <span className={style.grows}>{children}</span>
      {after}
    </AriaMenuItem>
  );
}

export function MenuSection({ title, children, ...props }: { title?: string; children: ReactNode; 'aria-label'?: string }) {
  return (
    <AriaMenuSection {...props}>
      {title !== undefined && <Header className={style.sectionTitle ?? ''}>{title}</Header>}
      {children}
    </AriaMenuSection>
  );
}

export const MenuSeparator = () => <Separator className={style.separator ?? ''} />;

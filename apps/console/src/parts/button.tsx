import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Link, type LinkProps } from 'react-aria-components/Link';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { classes } from './classes';
import style from './button.module.css';
import overlay from './overlay.module.css';

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Looks {
  look?: ButtonLook | undefined;
  isSmall?: boolean | undefined;
  icon?: LucideIcon | undefined;
}

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'>, Looks {
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with words on it: a verb, and what it acts on. While it `isPending` it cannot be pressed, and keeps its focus. */
export function Button({ look = 'secondary', isSmall, icon: Icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={classes(style.button, style[look], isSmall && style.small)}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </AriaButton>
  );
}

/** A link that looks like a button: it leads somewhere, and changes nothing. `href` is an address of the console, or any other. */
export function ButtonLink({
  look = 'secondary',
  isSmall,
  icon: Icon,
  children,
  ...props
}: Omit<LinkProps, 'children'> & Looks & { children: ReactNode }) {
  return (
    <Link {...props} className={classes(style.button, style[look], isSmall && style.small)}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </Link>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'>, Looks {
  icon: LucideIcon;
  /** Its accessible name, which is also shown on hover and focus. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a picture instead of words. */
export function IconButton({ look = 'quiet', isSmall, icon: Icon, label, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      <AriaButton {...props} aria-label={label} className={classes(style.button, style.icon, style[look], isSmall && style.small)}>
        <Icon size={16} aria-hidden />
      </AriaButton>
      <Tooltip className={overlay.tooltip ?? ''} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { ChangelogWidgetAttributes, ChangelogWidgetElement } from './widget.js'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'changelog-widget': DetailedHTMLProps<HTMLAttributes<ChangelogWidgetElement>, ChangelogWidgetElement> &
        ChangelogWidgetAttributes
    }
  }
}

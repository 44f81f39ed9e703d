import type { DefineComponent, HTMLAttributes } from 'vue'
import type { ChangelogWidgetAttributes } from './widget.js'

declare module 'vue' {
  interface GlobalComponents {
    'changelog-widget': DefineComponent<ChangelogWidgetAttributes & HTMLAttributes>
  }
}

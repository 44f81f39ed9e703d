import { inEveryLanguage } from './words.ts'

/** Texts about pre-releases and withdrawn releases. */

export const standing = inEveryLanguage({
  en: { prerelease: 'Pre-release', yanked: 'Yanked', stable: 'Stable releases only' },
  de: { prerelease: 'Vorabversion', yanked: 'Zurückgezogen', stable: 'Nur stabile Versionen' },
  fr: { prerelease: 'Préversion', yanked: 'Retirée', stable: 'Versions stables uniquement' },
  es: { prerelease: 'Versión preliminar', yanked: 'Retirada', stable: 'Solo versiones estables' },
  ja: { prerelease: 'プレリリース', yanked: '取り下げ', stable: '安定版のみ' },
  ar: { prerelease: 'إصدار تجريبي', yanked: 'مسحوب', stable: 'الإصدارات المستقرة فقط' },
})

export const yanked = inEveryLanguage({
  en: { notice: '{version} was withdrawn after its release.' },
  de: { notice: '{version} wurde nach der Veröffentlichung zurückgezogen.' },
  fr: { notice: '{version} a été retirée après sa publication.' },
  es: { notice: '{version} se retiró después de publicarse.' },
  ja: { notice: '{version} は公開後に取り下げられました。' },
  ar: { notice: 'سُحب الإصدار {version} بعد نشره.' },
})

import { inEveryLanguage } from './words.ts'

/** Texts about pre-releases and withdrawn releases. */

export const standing = inEveryLanguage({
  prerelease: [
    'Pre-release',
    'Vorabversion',
    'Préversion',
    'Versión preliminar',
    'プレリリース',
    'إصدار تجريبي',
  ],
  yanked: ['Yanked', 'Zurückgezogen', 'Retirée', 'Retirada', '取り下げ', 'مسحوب'],
  stable: [
    'Stable releases only',
    'Nur stabile Versionen',
    'Versions stables uniquement',
    'Solo versiones estables',
    '安定版のみ',
    'الإصدارات المستقرة فقط',
  ],
})

export const yanked = inEveryLanguage({
  notice: [
    '{version} was withdrawn after its release.',
    '{version} wurde nach der Veröffentlichung zurückgezogen.',
    '{version} a été retirée après sa publication.',
    '{version} se retiró después de publicarse.',
    '{version} は公開後に取り下げられました。',
    'سُحب الإصدار {version} بعد نشره.',
  ],
})

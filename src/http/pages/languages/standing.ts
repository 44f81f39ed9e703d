import { inEveryLanguage } from './words.ts'

/** What is said of pre-releases and of withdrawn releases. */
export const standing = inEveryLanguage({
  en: {
    prerelease: 'Pre-release',
    yanked: 'Yanked',
    withdrawn: '{version} was withdrawn after its release.',
    because: '{version} was withdrawn after its release: {reason}',
    stable: 'Stable releases only',
  },
  de: {
    prerelease: 'Vorabversion',
    yanked: 'Zurückgezogen',
    withdrawn: '{version} wurde nach der Veröffentlichung zurückgezogen.',
    because: '{version} wurde nach der Veröffentlichung zurückgezogen: {reason}',
    stable: 'Nur stabile Versionen',
  },
  fr: {
    prerelease: 'Préversion',
    yanked: 'Retirée',
    withdrawn: '{version} a été retirée après sa publication.',
    because: '{version} a été retirée après sa publication : {reason}',
    stable: 'Versions stables uniquement',
  },
  es: {
    prerelease: 'Versión preliminar',
    yanked: 'Retirada',
    withdrawn: '{version} se retiró después de publicarse.',
    because: '{version} se retiró después de publicarse: {reason}',
    stable: 'Solo versiones estables',
  },
  ja: {
    prerelease: 'プレリリース',
    yanked: '取り下げ',
    withdrawn: '{version} は公開後に取り下げられました。',
    because: '{version} は公開後に取り下げられました: {reason}',
    stable: '安定版のみ',
  },
  ar: {
    prerelease: 'إصدار تجريبي',
    yanked: 'مسحوب',
    withdrawn: 'سُحب {version} بعد إصداره.',
    because: 'سُحب {version} بعد إصداره: {reason}',
    stable: 'الإصدارات المستقرة فقط',
  },
})

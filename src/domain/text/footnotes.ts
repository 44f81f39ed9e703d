/** The label of a footnote, between `[^` and `]`. */
export const NOTE_LABEL = /[^\]\s&<>"']{1,100}/.source

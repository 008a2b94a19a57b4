    .section .rodata
    .global cerca_words_start
    .global cerca_words_end
cerca_words_start:
    .incbin "words.csv"
cerca_words_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits

    .section .rodata
    .global cerca_cities_start
    .global cerca_cities_end
cerca_cities_start:
    .incbin "cities.csv"
cerca_cities_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
